import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editSite } from '../../../../../builder/page/app/form/edit-site.ts';
import { examples } from '../../../../../builder/page/app/form/examples.ts';
import {
  type FormField,
  fieldAt,
  sectionNames,
} from '../../../../../builder/page/app/form/fields.ts';
import { judgeSite, problemsOf } from '../../../../../builder/page/app/form/judge-site.ts';

const namesIn = (site: unknown) => fieldAt(['route'], site).children.map(({ name }) => name);

describe('the examples of fields', () => {
  it.each(Object.entries(examples))('shows a valid value: %s', (name, example) => {
    const path = name.split('.');
    const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
    const site = { route: { mode: 'http-proxy' }, providers };
    const { kind } = fieldAt(path, site);
    const value = kind === 'lines' ? [example] : kind === 'yaml' ? parse(example) : example;
    const text = editSite(JSON.stringify(site), path, value);
    const problems = problemsOf(judgeSite(text, false).problems, name);
    expect(problems.filter(({ message }) => !/is missing|requires/.test(message))).toEqual([]);
  });
});

describe('fieldAt', () => {
  it('returns a field for every section, each with a meaning and a way to edit it', () => {
    const all = (field: FormField): FormField[] => [field, ...field.children.flatMap(all)];
    const fields = sectionNames.flatMap((name) => all(fieldAt([name], {})));
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(({ meaning }) => meaning === '').map(({ name }) => name)).toEqual([]);
    const empty = fields.filter(
      ({ kind, children }) => kind === 'section' && children.length === 0,
    );
    expect(empty.map(({ name }) => name)).toEqual([]);
  });

  it('offers the values of a choice, and shows its default', () => {
    expect(fieldAt(['tls', 'mode'], {})).toMatchObject({
      ...{ kind: 'choice', isRequired: true, standard: undefined },
      options: ['acme', 'acme-staging', 'acme-ip', 'custom', 'internal', 'off'],
    });
    expect(fieldAt(['admin', 'user'], {})).toMatchObject({
      ...{ kind: 'text', isRequired: false, standard: 'ops' },
    });
  });

  it.each([
    [['release'], 'lines', ['push']],
    [['admin', 'ssh_keys'], 'lines', []],
    [['models'], 'lines', []],
    [['tls', 'accept_terms'], 'switch', []],
    [['socks', 'port'], 'number', []],
    [['mirrors', 'registries'], 'yaml', []],
    [['alerts'], 'yaml', []],
  ] as const)('edits %j as %s', (path, kind, options) => {
    expect(fieldAt(path, {})).toMatchObject({ kind, options });
  });

  it('shows the fields of the chosen route only', () => {
    expect(namesIn({})).toEqual(['route.mode']);
    expect(namesIn({ route: { mode: 'client' } })).toContain('route.capture');
    expect(namesIn({ route: { mode: 'http-proxy' } })).toContain('route.url');
    const [mode] = fieldAt(['route'], { route: { mode: 'socks5' } }).children;
    expect(mode?.options).toEqual(['direct', 'http-proxy', 'socks5', 'client']);
  });
});
