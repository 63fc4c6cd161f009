import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from '../../../../../builder/inputs/config/json-schemas.ts';
import { withFieldTable } from '../../../../../builder/inputs/config/reference/render.ts';

const schema = JSON.parse(jsonSchemaOf('site'));
const docs = fileURLToPath(new URL('../../../../../docs', import.meta.url));
const read = (path: string) => readFileSync(join(docs, path), 'utf8');
const chinese = readdirSync(join(docs, 'zh'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md'),
);

/** Comments of commands, and the last column of the stages: translated. */
const translated = /(?: +# |(?<=\d s) {3}).*$/gm;

/** Returns the parts that a translation must share with its original: heading levels and code. */
function shapeOf(document: string) {
  return {
    headings: [...document.matchAll(/^(#+) /gm)].map(([, marks]) => marks),
    blocks: [...document.matchAll(/```\w*\n[\s\S]*?```/g)].map(([block]) =>
      block.replaceAll(translated, ''),
    ),
  };
}

describe('the Chinese documents', () => {
  it('cover the first day of a user', () => {
    expect(chinese).toEqual(
      expect.arrayContaining(['faq.md', 'first-boot.md', 'relay.md', 'site.md']),
    );
  });

  it('links the Chinese documents from the Chinese README', () => {
    const readme = read('../README.zh-CN.md');
    expect(readme).toContain('(docs/zh/README.md)');
    const index = read('zh/README.md');
    const others = chinese.filter((name) => name !== 'README.md');
    for (const name of others) expect(index).toContain(`(${name})`);
  });

  it.each(chinese)('links a Chinese document from its original: %s', (name) => {
    const link = relative(dirname(name), join('zh', name));
    expect(read(name)).toContain(`](${link})`);
  });

  it.each(chinese)(
    'keeps the headings and examples of the English document in the Chinese one: %s',
    (name) => {
      expect(shapeOf(read(`zh/${name}`))).toEqual(shapeOf(read(name)));
    },
  );

  it.each(chinese)('puts no blank between two Chinese characters: %s', (name) => {
    expect(read(`zh/${name}`).match(/.*\p{Script=Han} +\p{Script=Han}.*/gu)).toBeNull();
  });

  it('generates the table of fields in the Chinese document from the schema', () => {
    const document = read('zh/site.md');
    expect(withFieldTable(document, schema, 'zh')).toBe(document);
  });

  /** The cells of the rows of the table of fields. */
  const rows = [...read('zh/site.md').matchAll(/^\| `([^`]+)` \| (.*?) \| .*? ?\| (.*) \|$/gm)];

  it('explains every field of a site in Chinese', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter(([, , , meaning]) => meaning === '')).toEqual([]);
  });

  it('translate the type of every field', () => {
    const types = rows.map(([, , type = '']) => type.replaceAll(/`[^`]*`/g, ''));
    expect(types.filter((type) => /[a-z]/i.test(type))).toEqual([]);
  });
});
