import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownToHtml } from '../../../../../appliance/stages/stack/pages/markdown.ts';

describe('Markdown as HTML', () => {
  it.each([
    ['# Title', '<h1>Title</h1>\n'],
    ['### Third', '<h3>Third</h3>\n'],
    ['two\nlines', '<p>two\nlines</p>\n'],
    ['one\n\ntwo', '<p>one</p>\n<p>two</p>\n'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
    ['```sh\nx < y\n\n# no title\n```', '<pre><code>x &lt; y\n\n# no title</code></pre>\n'],
    ['use `a < b` here', '<p>use <code>a &lt; b</code> here</p>\n'],
    ['[here](/agents/x)', '<p><a href="/agents/x">here</a></p>\n'],
    ['`[no](/link)`', '<p><code>[no](/link)</code></p>\n'],
    ['[bad](javascript:alert(1))', '<p>[bad](javascript:alert(1))</p>\n'],
    ['<script>x</script>', '<p>&lt;script&gt;x&lt;/script&gt;</p>\n'],
  ])('%j becomes %j', (markdown, html) => expect(markdownToHtml(markdown)).toBe(html));

  it('escapes tags in text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const tags = markdownToHtml(text).match(/<[^>]*>/g) ?? [];
        for (const tag of tags) {
          expect(tag).toMatch(/^<\/?(h[1-6]|p|ul|li|pre|code|a)( href="[^"<>]*")?>$/);
        }
      }),
    );
  });
});
