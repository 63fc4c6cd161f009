import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { relayConfigSchema } from '../../../appliance/relay/config.ts';
import { allRefusals } from '../../../appliance/relay/refusal.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe("the relay's page", () => {
  const page = read('docs/relay.md');

  it('has every error with its status, and no other', () => {
    const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)];
    const documented = rows.map(([, code, status]) => ({ code, status: Number(status) }));
    expect(documented).toEqual(allRefusals());
  });

  it('has an example that is valid', () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const settings = JSON.parse(example.replace(/<printf.*sha256sum>/, '0'.repeat(64)));
    expect(relayConfigSchema.safeParse(settings).error).toBeUndefined();
  });

  it('has every field', () => {
    for (const field of Object.keys(relayConfigSchema.shape)) expect(page).toContain(`\`${field}`);
  });
});

describe('the deploy file of the worker', () => {
  const text = read('appliance/relay/wrangler.jsonc');
  const file = JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, ''));

  it('has settings that are valid', () => {
    expect(relayConfigSchema.safeParse(file.vars.RELAY_CONFIG).error).toBeUndefined();
  });

  it('names the program that is there', () => {
    expect(read(`appliance/relay/${file.main}`)).toContain('export default');
  });

  it('has a key in it that is nobody’s', () => {
    expect(file.vars.RELAY_CONFIG.keys[0].sha256).toMatch(/^0{64}$/);
  });
});
