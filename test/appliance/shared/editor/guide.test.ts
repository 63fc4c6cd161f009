import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { editors } from '#editor/editors.ts';

const pages = ['docs/proxies/editor.md', 'docs/zh/proxies/editor.md'];

describe.each(pages)('the guide %s', (page) => {
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');

  it.each(editors.filter(({ kind }) => kind !== 'remote'))(
    'names the hosts and settings of $name',
    ({ hosts, ownSettings }) => {
      const names = [...Object.values(hosts).flat(), ...Object.keys(ownSettings)];
      expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    },
  );

  it('contains the words of the specification, in its order', () => {
    const email = ['Sign in', 'Continue', '6', 'AI: Check Connection'];
    expect(email.filter((word) => !text.includes(word))).toEqual([]);
    expect(text.indexOf('`Sign in`')).toBeLessThan(text.indexOf('`Continue`'));
    expect(text).toContain('`Connected`');
    expect(text).toContain('`Network Error`');
  });
});
