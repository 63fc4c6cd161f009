import { LandfallError } from '#contract/errors.ts';
import { certificateNames, sitePlace } from '../certificates/gateway-pairs.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Context } from '../stage/stage.ts';
import { acmePair, type Urgency } from './acme-pair.ts';
import { authorityOf } from './authority.ts';
import { customPair, customPlace } from './custom-pair.ts';
import { internalPair } from './internal-authority.ts';
import { publishAuthority } from './publish-authority.ts';
import type { Resolve } from './resolve-name.ts';
import type { Wanted } from './wanted.ts';

/** The certificate of the site's mode, made or asked for where it is time. */
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
  const current = urgency.force ? undefined : await readPair(host, sitePlace);
  return { pair: await internalPair(host, current, await certificateNames(host, site)), open: [] };
}

async function custom({ host, site }: Context): Promise<Wanted> {
  try {
    const pair = await customPair(host, await certificateNames(host, site));
    return { pair, open: pair ? [] : [nothingThere()] };
  } catch (error) {
    if (error instanceof LandfallError) return { pair: undefined, open: [error] };
    throw error;
  }
}

function nothingThere(): LandfallError {
  return new LandfallError('TLS_MATERIAL', `there is no certificate in /${customPlace} yet`, {
    hint: `Put the full chain into /${customPlace}/fullchain.pem and its key into /${customPlace}/privkey.pem; a timer looks for them, and a self-signed certificate serves until then.`,
  });
}
