/** Splits a bundle into parts of this size; the last one has the rest. */
export function splitInto(bundle: Buffer, partSize: number): Buffer[] {
  const count = Math.ceil(bundle.length / partSize);
  return Array.from({ length: count }, (_, index) =>
    bundle.subarray(index * partSize, (index + 1) * partSize),
  );
}
