import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { foundIn } from '../found-secrets.ts';
import { searchedOutputs, unprivileged } from './searched-outputs.ts';
import { names, type WholeStack } from './whole-stack.ts';

/** Expected secrets; there may be more. */
const expected = [
  ...['WEBUI_SECRET_KEY', 'WEBUI_ADMIN_PASSWORD', 'CHAT_ACCESS_CODE', 'LOBE_ACCESS_CODE'],
  ...['TINYPROXY_USERNAME', 'TINYPROXY_PASSWORD', 'OPENAI_API_KEY', 'console-password'],
  ...['RELAY_KEY_CHAT', 'RELAY_KEY_LOBE', 'RELAY_KEY_OWNER'],
];

/**
 * Tests that secrets are not readable elsewhere. Every location also contains a harmless marker,
 * which the same search must find: an empty search proves nothing.
 */
export function itKeepsItsSecrets(stack: () => WholeStack): void {
  let secrets: Readonly<Record<string, string>>;
  const mark = `harmless-${randomUUID()}`;

  beforeAll(async () => {
    secrets = await stack().secrets();
    const { host } = stack().premises;
    await host.output(`logger -t harmless ${mark}`);
    await host.output(`curl -skf -o /dev/null https://${names.ui}/?x \\
      --resolve ${names.ui}:443:127.0.0.1 && curl -sk -o /dev/null https://${names.docs}/${mark} \\
      --resolve ${names.docs}:443:127.0.0.1`);
    await host.output(`MARK=${mark} setsid ${unprivileged} sleep 3000 >/dev/null 2>&1 &`);
    await host.output(
      `install -m 644 /dev/null /var/tmp/harmless && echo ${mark} >/var/tmp/harmless`,
    );
  });

  it('collects all secrets, each too long for an accidental match', () => {
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(expected));
    for (const [name, value] of Object.entries(secrets)) {
      expect(value.length, name).toBeGreaterThanOrEqual(8);
    }
    expect(secrets.OPENAI_API_KEY).toBe(stack().providerKey);
  });

  it('finds the secrets where they belong', async () => {
    const { host } = stack().premises;
    const text = await host.output('cat /var/lib/landfall/stack/ui/secrets.env');
    expect(foundIn(text, secrets)).toContain('WEBUI_ADMIN_PASSWORD');
  });

  it.each(Object.entries(searchedOutputs))(
    'leaves no secret in %s, where the marker is found',
    async (_place, { command, known }) => {
      const text = await stack().premises.host.output(command);
      const end = text.slice(-500);
      expect(text.includes(known ?? mark), `${text.length} characters, ending: ${end}`).toBe(true);
      expect(foundIn(text, secrets)).toEqual([]);
    },
  );

  it('leaves no secret in a world-readable file on the server', async () => {
    const { host } = stack().premises;
    const places = ['/etc', '/home', '/opt', '/root', '/run', '/srv', '/tmp', '/var'];
    const search = ['grep', '-rlaFs', '-f', '-', ...places];
    const searchAsNobody = [...unprivileged.split(' '), ...search];
    const lookFor = async (values: readonly string[]) =>
      (await host.run(searchAsNobody, { input: `${values.join('\n')}\n` })).stdout;
    expect(await lookFor([mark])).toContain('/var/tmp/harmless\n');
    expect(await lookFor(Object.values(secrets))).toBe('');
  });

  it('leaves no secret in user-data and bundle', async () => {
    const { bundle, userData } = stack().premises;
    const key = await readFile(bundle.path('release.key'), 'utf8');
    const all = { ...secrets, 'release.key': key.split('\n')[1] ?? '' };
    const archive = await readFile(join(bundle.dist, bundle.archive));
    expect(userData.includes(names.ui) && archive.includes('release.json')).toBe(true);
    for (const bytes of [userData, archive]) {
      const found = Object.keys(all).filter((name) => bytes.includes(all[name as 'release.key']));
      expect(found).toEqual([]);
    }
  });
}
