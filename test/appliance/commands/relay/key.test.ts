import { afterEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import {
  addKey,
  entryOf,
  removeKey,
  rotateKey,
  writtenEntry,
} from '../../../../appliance/commands/relay/key.ts';
import { changedText } from '../../../../appliance/commands/site/set.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const text = `relay:
  keys:
    - phone # Mine.
    # For the summer.
    - { expires: 2027-03-31, name: intern, models: [a, 'b-*'] }
`;
const site = {
  providers: { openai: { base_url: 'https://api.openai.com/v1' } },
  relay: { keys: ['phone'] },
};

function facts() {
  const host = TemporaryHost.with({ 'etc/landfall/site.yaml': text });
  return contextFor(host, { site });
}

const onTerminal = process.stdout.isTTY;
afterEach(() => {
  process.stdout.isTTY = onTerminal;
  vi.restoreAllMocks();
});

describe('the entry of a relay key', () => {
  it('contains only the name if it has no limits', () => {
    expect(entryOf('phone', { yes: true })).toBe('phone');
  });

  it('contains the limits of the command line', () => {
    const options = { tokensPerMonth: 3_000_000, models: ['a', 'b-*'], expires: '2027-03-31' };
    const value = JSON.stringify(entryOf('anna', options));
    const changed = changedText(text, { action: 'add', field: 'relay.keys', value });
    expect(parse(changed).relay.keys[2]).toEqual({
      ...{ name: 'anna', models: ['a', 'b-*'], tokens_per_month: 3_000_000 },
      expires: '2027-03-31',
    });
  });

  it.each(['phone', 'intern'])('can be removed as it is written: %s', (name) => {
    const value = writtenEntry(text, name);
    const changed = changedText(text, { action: 'remove', field: 'relay.keys', value });
    expect(writtenEntry(changed, name)).toBeUndefined();
    expect(parse(changed).relay.keys).toHaveLength(1);
  });

  it.each(['', 'relay:\n', 'relay: { keys: }\n', '[]\n'])('finds none in %j', (other) => {
    expect(writtenEntry(other, 'phone')).toBeUndefined();
  });
});

describe('landfall relay key', () => {
  it('changes nothing without a terminal, which shows the key', async () => {
    process.stdout.isTTY = false;
    const refused = { code: 'USAGE', message: 'standard output is not a terminal' };
    await expect(addKey(facts(), 'anna', {})).rejects.toMatchObject(refused);
    await expect(rotateKey(facts(), 'phone', true)).rejects.toMatchObject(refused);
  });

  it('rejects a name that exists, and one that does not', async () => {
    process.stdout.isTTY = true;
    await expect(addKey(facts(), 'phone', {})).rejects.toMatchObject({
      code: 'USAGE',
      message: 'the site already has the relay key phone',
    });
    await expect(removeKey(facts(), 'x')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'the site has no relay key "x"',
    });
    await expect(rotateKey(facts(), 'x', true)).rejects.toMatchObject({ code: 'USAGE' });
  });
});
