import { LandfallError } from '#contract/errors.ts';
import { certificateNames, sitePairPath } from '../certificates/gateway-pairs.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Context } from '../stage/stage.ts';
import { acmePair, type Urgency } from './acme-pair.ts';
import { authorityOf } from './authority.ts';
import type { Wanted } from './certificate-plan.ts';
import { customFolder, customPair } from './custom-pair.ts';
import { internalPair } from './internal-authority.ts';
import { publishAuthority } from './publish-authority.ts';
import type { Resolve } from './resolve-name.ts';

/** Returns the certificate for the site's mode. Issues or requests it when it is due. */
export async function wantedPair(
  context: Context,
  resolve: Resolve,
  urgency: Urgency,
): Promise<Wanted> {
  const { host, site } = context;
  const authority = authorityOf(site);
  if (authority) return await acmePair(context, authority, resolve, urgency);
  if (site.tls.mode === 'custom') return await custom(context);
  if (site.tls.mode === 'off') return { pair: undefined, open: [] };
  await publishAuthority(host);
  const current = urgency.force ? undefined : await readPair(host, sitePairPath);
  return { pair: await internalPair(host, current, await certificateNames(host, site)), open: [] };
}

async function custom({ host, site }: Context): Promise<Wanted> {
  try {
    const pair = await customPair(host, await certificateNames(host, site));
    return { pair, open: pair ? [] : [missingPair()] };
  } catch (error) {
    if (error instanceof LandfallError) return { pair: undefined, open: [error] };
    throw error;
  }
}

function missingPair(): LandfallError {
  return new LandfallError('TLS_MATERIAL', `no certificate in /${customFolder} yet`, {
    hint: `Put the full chain into /${customFolder}/fullchain.pem and its key into /${customFolder}/privkey.pem; they are installed automatically, and a self-signed certificate is used until then.`,
  });
}
