/**
 * Renders a bar with its percentage, such as `[###################-----------]  64 %`, in ASCII
 * for any console. It is 8 columns wider than `width`.
 * @param part the completed fraction, from 0 to 1
 */
export function bar(part: number, width: number): string {
  const full = Math.floor(part * width);
  const percent = `${Math.floor(part * 100)} %`.padStart(5);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}] ${percent}`;
}
