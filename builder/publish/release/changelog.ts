/**
 * Returns the text below the heading of a version in a changelog (keepachangelog.com): `## 1.2.0`, with
 * an optional `v`, brackets and date. Undefined without such a heading; empty if it has no text.
 */
export function changelogSection(text: string, version: string): string | undefined {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => versionOf(line) === version);
  if (start === -1) return undefined;
  const end = lines.findIndex((line, index) => index > start && /^##? /.test(line));
  return lines
    .slice(start + 1, end === -1 ? undefined : end)
    .join('\n')
    .trim();
}

function versionOf(line: string): string | undefined {
  return /^## \[?v?(\d[^\s\]]*)\]?(?:\s.*)?$/.exec(line)?.[1];
}
