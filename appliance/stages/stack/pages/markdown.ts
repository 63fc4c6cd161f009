import { escapeHtml } from '#contract/text/plain-line.ts';

/**
 * Converts the Markdown of the server's pages to HTML: headings, paragraphs, lists, code blocks, inline
 * code and links. Everything else is text. All text is escaped.
 */
export function markdownToHtml(markdown: string): string {
  return blocksOf(markdown)
    .map((block) => `${htmlOf(block)}\n`)
    .join('');
}

/** Splits text into blocks at empty lines, except inside of code blocks. */
function blocksOf(markdown: string): string[] {
  return markdown.match(/^```[^\n]*\n[\s\S]*?\n```$|^(?!```)[^\n]+(?:\n(?!```)[^\n]+)*/gm) ?? [];
}

function htmlOf(block: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n```$/.exec(block)?.[1];
  if (fenced !== undefined) return `<pre><code>${escapeHtml(fenced)}</code></pre>`;
  const [, marks, title] = /^(#{1,6}) (.+)$/.exec(block) ?? [];
  if (marks && title) return `<h${marks.length}>${inline(title)}</h${marks.length}>`;
  const lines = block.split('\n');
  if (!lines.every((line) => line.startsWith('- '))) return `<p>${inline(block)}</p>`;
  return `<ul>\n${lines.map((line) => `<li>${inline(line.slice(2))}</li>\n`).join('')}</ul>`;
}

/** Converts inline code first, because its content is literal. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((span) =>
      /^`[^`]+`$/.test(span) ? `<code>${escapeHtml(span.slice(1, -1))}</code>` : linked(span),
    )
    .join('');
}

/** Converts links with paths and http(s) URLs only, so that no link can run a script. */
function linked(text: string): string {
  return escapeHtml(text).replace(
    /\[([^\]]+)\]\(((?:https?:\/\/|\/)[^)\s]*)\)/g,
    (_whole, label: string, target: string) => `<a href="${target}">${label}</a>`,
  );
}
