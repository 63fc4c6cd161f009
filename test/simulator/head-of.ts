import { block } from './tar.ts';

const last = 'provenance.sigstore.json';

/** Returns the head members of a bundle by name, using only name and size of their headers. */
export function headOf(bundle: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>();
  for (let at = 0; !members.has(last); ) {
    const name = bundle.toString('latin1', at, bundle.indexOf(0, at));
    const size = Number.parseInt(bundle.toString('latin1', at + 124, at + 135), 8);
    members.set(name, bundle.subarray(at + block, at + block + size));
    at += block + Math.ceil(size / block) * block;
  }
  return members;
}
