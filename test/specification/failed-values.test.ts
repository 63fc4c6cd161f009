import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { releaseSchema } from '#contract/bundle/release.ts';
import { encodeChannel } from '#contract/channel/channel.ts';
import { verifyChannel } from '#contract/channel/newest.ts';
import { LandfallError } from '#contract/errors.ts';
import { siteSchema } from '#contract/site/site.ts';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { firstAnchor, rotationSchema } from '#contract/trust/anchor.ts';
import { manifestSchema } from '../../appliance/operations/backup/manifest.ts';
import { relayConfigSchema } from '../../appliance/relay/config.ts';
import { packagedReleaseSchema } from '../../builder/deliver/packaged/packaged-release.ts';
import { applianceSchema } from '../../builder/inputs/config/appliance-schema.ts';
import { lockSchema } from '../../builder/inputs/lock/lock.ts';
import { aChannel, signed } from '../appliance/shared/contract/channel/a-channel.ts';
import { recoveryKey, releaseKey } from '../simulator/keys.ts';

const badTexts = [
  ...['', 'x', 'not a version', `1.0.0-${'a'.repeat(300)}`, '1.0.0.0', '9'.repeat(100)],
  ...[
    '://',
    'http://',
    'https://[',
    'http://a:99999',
    'http://%',
    'socks5://%@h:1',
    '\0',
    '\ud800',
  ],
  ...['-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n', '[::1', '%', '/'],
];
const badValues: readonly unknown[] = [
  ...badTexts,
  null,
  undefined,
  -1,
  1e300,
  [],
  {},
  [null],
  true,
];

/** Returns every schema below a schema, with itself. */
function partsOf(schema: z.ZodType, seen = new Set<z.ZodType>()): Set<z.ZodType> {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return seen;
  seen.add(schema);
  // biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union of all kinds
  const def = (schema as any)._zod.def;
  const single = [def.element, def.innerType, def.keyType, def.valueType, def.in, def.out];
  const parts = [
    ...single,
    ...(def.options ?? []),
    ...(def.items ?? []),
    ...Object.values(def.shape ?? {}),
  ];
  for (const part of parts) partsOf(part as z.ZodType, seen);
  return seen;
}

/** Returns copies of a value, each with one bad value in a place. */
function* withOneBadValue(value: unknown): Generator<unknown> {
  yield* badValues;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    for (const bad of withOneBadValue(part)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[name] = bad;
      yield copy;
    }
  }
}

describe('schemas', () => {
  it.each<[string, z.ZodType]>([
    ['the site', siteSchema],
    ['release.json', releaseSchema],
    ['a rotation', rotationSchema],
    ['the relay', relayConfigSchema],
    ['a backup', manifestSchema],
    ['appliance.yaml', applianceSchema],
    ['the lock file', lockSchema],
    ['a packaged release', packagedReleaseSchema],
  ])('report bad values instead of throwing: %s', (_name, schema) => {
    const parts = [...partsOf(schema)];
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) for (const bad of badValues) part.safeParse(bad);
  });

  it('reject a signed channel with one bad value anywhere, with a coded error', () => {
    const anchor = firstAnchor({ release: [releaseKey.public], recovery: recoveryKey.public });
    const channel = aChannel();
    expect(() => verifyChannel(signed(encodeChannel(channel)), anchor, 'landfall')).not.toThrow();
    const seen = new Set<unknown>();
    for (const bad of withOneBadValue(channel)) {
      try {
        verifyChannel(signed(encodeUtf8(`${JSON.stringify(bad)}\n`)), anchor, 'landfall');
      } catch (error) {
        if (!(error instanceof LandfallError)) throw error;
        seen.add(error.code);
      }
    }
    expect(seen).toContain('CHANNEL_INVALID');
  });
});
