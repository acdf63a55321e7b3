import { createInstance, removeInstance, runProduct, type Product } from "../../test/support/run-product.ts";

/** Does some work with a new product in a new folder; removes both afterwards. */
export async function inNewPlace<T>(work: (product: Product) => Promise<T>): Promise<T> {
  const place = await createInstance();
  const product = await runProduct(place);
  try {
    return await work(product);
  } catch (error) {
    throw new Error(`The measurement ended early. The product said: ${product.output()}`, { cause: error });
  } finally {
    await product.stop();
    await removeInstance(place);
  }
}
