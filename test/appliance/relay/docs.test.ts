import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { relayConfigSchema } from '../../../appliance/relay/config.ts';
import { refusals } from '../../../appliance/relay/refusal.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe("the relay's page", () => {
  const page = read('docs/relay.md');

  it('lists exactly the errors of the relay with their status', () => {
    const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)];
    const documented = rows.map(([, code, status]) => ({ code, status: Number(status) }));
    expect(documented).toEqual(
      Object.entries(refusals).map(([code, [status]]) => ({ code, status })),
    );
  });

  it('prints a valid example on the page of the relay', () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const settings = JSON.parse(example.replace(/<printf.*sha256sum>/, '0'.repeat(64)));
    expect(relayConfigSchema.safeParse(settings).error).toBeUndefined();
  });

  it('documents every field', () => {
    for (const field of Object.keys(relayConfigSchema.shape)) expect(page).toContain(`\`${field}`);
  });
});

describe('the deploy file of the worker', () => {
  const text = read('appliance/relay/wrangler.jsonc');
  const file = JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, ''));

  it('deploys the worker with valid settings', () => {
    expect(relayConfigSchema.safeParse(file.vars.RELAY_CONFIG).error).toBeUndefined();
  });

  it('refers to the existing program', () => {
    expect(read(`appliance/relay/${file.main}`)).toContain('export default');
  });

  it('contains a placeholder key', () => {
    expect(file.vars.RELAY_CONFIG.keys[0].sha256).toMatch(/^0{64}$/);
  });
});
