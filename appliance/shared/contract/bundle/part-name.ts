/** Maximum number of parts, because their numbers have three digits. */
export const maxParts = 1000;

/** Returns the name of a part of `….tar`: `….tar.000`. The bootstrap requests the same names. */
export function partName(bundle: string, index: number): string {
  return `${bundle}.${String(index).padStart(3, '0')}`;
}

/** Returns the name of the bundle that a part belongs to. Other names stay unchanged. */
export function withoutPart(name: string): string {
  return name.replace(/\.tar\.\d{3}$/, '.tar');
}
