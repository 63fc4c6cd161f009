import { LandfallError } from '#contract/errors.ts';
import { certificateNames, installSitePair, sitePlace } from '../certificates/gateway-pairs.ts';
import { judgePair, type Pair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { customPair, customPlace } from './custom-pair.ts';
import { internalPair } from './internal-authority.ts';
import { reloadGateway } from './reload-gateway.ts';

/** The certificate that the site asks for, in place of the self-signed one. */
export const tlsStage: Stage = {
  name: 'tls',
  title: 'tls: the certificate for browsers',
  check: async ({ site }) =>
    site.tls.mode === 'off' ? [] : [`see to a certificate (${site.tls.mode})`],
  apply,
  prove,
};

async function apply(context: Context): Promise<void> {
  const { host, site } = context;
  const current = await readPair(host, sitePlace);
  const wanted = await wantedPair(context, current, await certificateNames(host, site));
  if (wanted === undefined || wanted.chain === current?.chain) return;
  await installSitePair(host, wanted);
  await reloadGateway(host);
}

/** The gateway has a pair that it can serve; whether browsers trust it is the mode's matter. */
async function prove({ host, site }: Context): Promise<void> {
  if (site.tls.mode === 'off') return;
  const pair = await readPair(host, sitePlace);
  const problems = pair ? judgePair(pair, [], new Date()) : [{ message: 'there is none' }];
  if (problems.length === 0) return;
  throw new LandfallError('TLS_MATERIAL', 'the gateway has no certificate that it can use', {
    hint: 'It is tried again by itself.',
    problems,
  });
}

async function wantedPair(
  { host, site, report }: Context,
  current: Pair | undefined,
  names: readonly string[],
): Promise<Pair | undefined> {
  if (site.tls.mode === 'internal') return await internalPair(host, current, names);
  if (site.tls.mode !== 'custom') return undefined;
  const pair = await customPair(host, names);
  if (!pair)
    report.warn(
      `there is no certificate in /${customPlace} yet; a self-signed one serves until then`,
    );
  return pair;
}
