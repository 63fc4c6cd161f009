/**
 * Turns the Markdown of our own pages into HTML: headings, paragraphs, lists, blocks of code, and
 * in a line code and links. Everything else is text, and every text is escaped.
 */
export function markdownToHtml(markdown: string): string {
  return blocksOf(markdown)
    .map((block) => `${htmlOf(block)}\n`)
    .join('');
}

/** Blocks stand apart by an empty line, save inside a block of code. */
function blocksOf(markdown: string): string[] {
  return markdown.match(/^```[^\n]*\n[\s\S]*?\n```$|^(?!```)[^\n]+(?:\n(?!```)[^\n]+)*/gm) ?? [];
}

function htmlOf(block: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n```$/.exec(block)?.[1];
  if (fenced !== undefined) return `<pre><code>${escaped(fenced)}</code></pre>`;
  const [, marks, title] = /^(#{1,6}) (.+)$/.exec(block) ?? [];
  if (marks && title) return `<h${marks.length}>${inline(title)}</h${marks.length}>`;
  const lines = block.split('\n');
  if (!lines.every((line) => line.startsWith('- '))) return `<p>${inline(block)}</p>`;
  return `<ul>\n${lines.map((line) => `<li>${inline(line.slice(2))}</li>\n`).join('')}</ul>`;
}

/** Code first: what is in it has no other meaning. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece) =>
      /^`[^`]+`$/.test(piece) ? `<code>${escaped(piece.slice(1, -1))}</code>` : linked(piece),
    )
    .join('');
}

/** Links lead to this server or to the web, never to a script. */
function linked(text: string): string {
  return escaped(text).replace(
    /\[([^\]]+)\]\(((?:https?:\/\/|\/)[^)\s]*)\)/g,
    (_whole, label: string, target: string) => `<a href="${target}">${label}</a>`,
  );
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
