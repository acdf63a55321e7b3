/** The number that stands for a name in a part. Two names could share one; the names used here do not. */
export function nameCode(name: string): number {
  let code = 0;
  for (let index = 0; index < name.length; index++) code = (Math.imul(code, 31) + name.charCodeAt(index)) | 0;
  return code;
}
