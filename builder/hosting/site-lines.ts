/** Returns the lines of site.yaml that name the folders with the release. */
export function siteLines(urls: readonly string[]): string {
  return ['release:', ...urls.map((url) => `  - ${url}`)].join('\n');
}
