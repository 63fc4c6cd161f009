import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { schemaCommand, schemaPath } from '../../../builder/commands/schema.ts';
import { runCommand, terminalIn } from './terminal.ts';

async function printed(...args: string[]): Promise<string> {
  const terminal = terminalIn('.');
  await runCommand(schemaCommand, terminal, ...args);
  return terminal.out();
}

describe('landfall schema', () => {
  it.each(['appliance', 'site'] as const)(
    'prints the checked-in schema of %s.yaml',
    async (name) => {
      expect(await printed(name)).toBe(await readFile(schemaPath(name), 'utf8'));
    },
  );

  it('prints the schema of appliance.yaml by default', async () => {
    expect(await printed()).toBe(await printed('appliance'));
  });

  it('reports that the checked-in copies are up to date', async () => {
    expect(await printed('--check')).toBe('');
  });

  it('rejects an unknown file', async () => {
    await expect(printed('lock')).rejects.toThrow(/appliance, site/);
  });
});

describe('the schemas in an editor', () => {
  const judge = async (name: 'appliance' | 'site', text: string) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    return ajv.validate(JSON.parse(await printed(name)), parse(text, { merge: true }));
  };
  const file = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

  it('accept the files of Landfall', async () => {
    const appliance = await file('../../../builder/inputs/appliance.yaml');
    const site = await file('../../../builder/inputs/config/example-site.yaml');
    expect(await judge('appliance', appliance)).toBe(true);
    expect(await judge('site', site)).toBe(true);
  });

  it.each([
    ['a misspelled key', 'appliance', 'name: x\nversion: 1.0.0\ncomponets: {}\n'],
    [
      'a model without its size',
      'appliance',
      'name: x\nversion: 1.0.0\ncomponents: {}\nmodels: [a]\n',
    ],
    [
      'a host in capitals',
      'site',
      'release: [https://e.org/]\nadmin: {}\nhosts: { ui: A.b.example }\n',
    ],
    ['an unknown route', 'site', 'release: [https://e.org/]\nadmin: {}\nroute: { mode: vpn }\n'],
  ] as const)('marks %s', async (_what, name, text) => {
    expect(await judge(name, text)).toBe(false);
  });
});
