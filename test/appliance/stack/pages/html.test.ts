import { describe, expect, it } from 'vitest';
import { contentPolicyFor } from '../../../../appliance/progress/page/content-policy.ts';
import { docsLocations } from '../../../../appliance/stack/components/docs/locations.ts';
import { renderPages } from '../../../../appliance/stack/pages/render-pages.ts';
import { everything, stackInput } from '../stack-input.ts';

const files = renderPages(stackInput(everything));
const pages = files
  .filter(({ path }) => path.endsWith('.html'))
  .map(({ path, content }) => ({ path: path.slice('docs'.length, -'.html'.length), content }));
const texts = files
  .filter(({ path }) => path.endsWith('.md'))
  .map(({ path, content }) => ({ path, content }));

describe.each(pages)('the page $path', ({ path, content }) => {
  const isChinese = path.startsWith('/agents/zh/');

  it('has its language, one heading and a title with the name of the product', () => {
    expect(content).toContain(`<html lang="${isChinese ? 'zh-Hans' : 'en'}">`);
    expect(content.match(/<h1>/g)).toHaveLength(1);
    expect(content).toMatch(/<title>.+ – Landfall<\/title>/);
  });

  it('links to itself in the other language', () => {
    const other = isChinese ? path.replace('/zh/', '/') : path.replace('/agents/', '/agents/zh/');
    const label = isChinese ? 'lang="en" hreflang="en">English' : 'hreflang="zh-Hans">中文';
    expect(content).toContain(`<a href="${other}"`);
    expect(content).toContain(label);
  });

  it('links to existing files only', () => {
    const known = files.map((file) => file.path);
    const targets = [...content.matchAll(/href="(\/[^"]+)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(3);
    for (const target of targets) {
      const file = /\.(?:md|txt)$/.test(target) ? target : `${target}.html`;
      expect(known).toContain(`docs${file}`);
    }
  });

  it('loads nothing, and its policy allows nothing but its style', () => {
    expect(content).not.toMatch(/<script|<img|<iframe|src=|url\(|@import|style=/);
    const [, style = ''] = /<style>(.*)<\/style>/.exec(content) ?? [];
    expect(docsLocations()).toContain(`"${contentPolicyFor({ style })}"`);
  });
});

describe('the Chinese pages', () => {
  it('are translated except for names, commands and addresses', () => {
    const chinese = texts.filter(({ path }) => path.startsWith('docs/agents/zh/'));
    expect(chinese).toHaveLength(texts.length / 2);
    for (const { path, content } of chinese) {
      const prose = content.replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, '');
      for (const line of prose.split('\n').filter((text) => /[A-Za-z]{3}/.test(text))) {
        if (line.trim() !== '' && !line.startsWith('- '))
          expect(line, path).toMatch(/[\u4e00-\u9fff]/);
      }
    }
  });
});
