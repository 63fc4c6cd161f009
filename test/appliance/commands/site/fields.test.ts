import { afterEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { showFields } from '../../../../appliance/commands/site/fields.ts';
import { jsonSchemaOf } from '../../../../builder/inputs/config/json-schemas.ts';
import { fieldsOf } from '../../../../builder/inputs/config/reference/render.ts';

afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
});

function shown(name?: string, json = false): string {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  showFields(name, json);
  return log.mock.calls.flat().join('\n');
}

describe('landfall site fields', () => {
  it.each(['en', 'zh'] as const)('shows every field of the schema, in %s', (language) => {
    setLanguage(language);
    const names = JSON.parse(shown(undefined, true)).map(({ name }: { name: string }) => name);
    expect(names).toEqual(fieldsOf(JSON.parse(jsonSchemaOf('site'))).map(({ name }) => name));
  });

  it('lists the sections, and how to see one', () => {
    const lines = shown().split('\n');
    expect(lines).toContainEqual(
      expect.stringMatching(/^tls +The TLS certificate of the server\.$/),
    );
    expect(lines.filter((line) => line.startsWith('tls'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('All fields of a section: sudo landfall site fields tls');
  });

  it('shows a field with its values, its default, its meaning and what a change does', () => {
    expect(shown('relay.keys')).toBe(
      [
        'relay.keys',
        '  list of text or section; []',
        '  One entry per device or user: a name, or a name with limits. `landfall credentials` shows the keys.',
        '  A change: can restart the relay.',
      ].join('\n'),
    );
  });

  it('shows what is below a section, also of an entry or a key', () => {
    expect(shown('tls').split('\n\n')).toHaveLength(10);
    expect(shown('providers.base_url')).toContain('providers.<name>.base_url');
    expect(shown('engines.nodes[0].slots')).toContain('engines.nodes[].slots');
  });

  it('uses the language of the site', () => {
    setLanguage('zh');
    expect(shown('language')).toContain('  更改：可能重启 Open WebUI。');
  });

  it.each([
    ['tls.mod', 'Did you mean tls.mode?'],
    ['xyzzy-quux', 'List the fields with `sudo landfall site fields`.'],
  ])('rejects %s', (name, hint) => {
    expect(() => shown(name)).toThrow(expect.objectContaining({ code: 'USAGE', hint }));
  });
});
