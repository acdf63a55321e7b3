/** Sealing keys of tests, as SEALING_KEYS has them. */
export const TEST_KEYS = `t1:${Buffer.alloc(32, 7).toString("base64")}`;
