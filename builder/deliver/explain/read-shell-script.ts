import type { ReadContent, ReadFile } from './content.ts';

/** The two forms in which `shellScript` writes a file. */
const plainCall = /^put (\/\S+) (\d{3}) <<'(\w+)'$/;
const tabbedCall = /^tr '(.)' '\\t' <<'(\w+)' \| put (\/\S+) (\d{3})$/;

/** Reads the files of a script. Everything else in it is compared line by line. */
export function readShellScript(text: string): ReadContent {
  const lines = text.split('\n');
  const files: ReadFile[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const call = callIn(lines[at] ?? '');
    if (!call) continue;
    const found = lines.indexOf(call.end, at + 1);
    const end = found === -1 ? lines.length : found;
    const content = `${lines.slice(at + 1, end).join('\n')}\n`;
    files.push({
      path: call.path,
      content: call.tab === undefined ? content : content.replaceAll(call.tab, '\t'),
      attributes: new Map([['umask', call.umask]]),
      lines: { first: at + 1, last: Math.min(end + 1, lines.length) },
      contentLine: at + 2,
    });
    at = end;
  }
  return { settings: [], files, findings: [] };
}

function callIn(line: string) {
  const [, path, umask, end] = plainCall.exec(line) ?? [];
  if (path !== undefined && end !== undefined) return { path, umask, end, tab: undefined };
  const [, tab, tabbedEnd, tabbedPath, mask] = tabbedCall.exec(line) ?? [];
  if (tabbedPath === undefined || tabbedEnd === undefined) return undefined;
  return { path: tabbedPath, umask: mask, end: tabbedEnd, tab };
}
