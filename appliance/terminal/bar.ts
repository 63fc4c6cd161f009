/**
 * A bar with its percentage, such as `[###################-----------]  64 %`, in characters that
 * every console has. It takes 8 columns more than `width`.
 * @param part what is done, from 0 to 1
 */
export function bar(part: number, width: number): string {
  const full = Math.floor(part * width);
  const percent = `${Math.floor(part * 100)} %`.padStart(5);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}] ${percent}`;
}
