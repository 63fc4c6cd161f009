import { isOnLoopback } from '#contract/site/network/socks.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../host/host.ts';
import { makeSecret, readOrMakeSecret, readSecret } from '../../host/secret-file.ts';
import { type Service, unitFileOf } from '../../host/service.ts';
import { socksPassword } from '../../host/socks-password.ts';
import { type Measure, serviceMeasure } from '../../stage/measure.ts';
import { proveSocks } from './prove-socks.ts';
import { renderGuard } from './render-guard.ts';
import {
  endpointOf,
  guardFile,
  loginFile,
  renderGuardDropIn,
  renderLogin,
  renderSocksUnit,
  socksUnit,
} from './render-unit.ts';

const dropInFile = 'etc/systemd/system/nftables.service.d/landfall-socks.conf';

interface Input {
  readonly host: Host;
  readonly site: Pick<Site, 'socks'>;
}

/** Returns the SOCKS5 server of the site. Its packages and its password stay when it is removed. */
export async function socksService({ host, site: { socks } }: Input): Promise<Service> {
  const password = needsPassword(socks) ? await readSecret(host, socksPassword.name) : undefined;
  return {
    packages: ['nftables', 'microsocks'],
    files: [
      {
        path: loginFile,
        text: needsPassword(socks) ? renderLogin(socks, password ?? '') : undefined,
        mode: 0o600,
      },
      { path: guardFile, text: renderGuard() },
      { path: dropInFile, text: renderGuardDropIn() },
      { path: unitFileOf(socksUnit), text: socks && renderSocksUnit(socks) },
    ],
    // Inactive while its address does not exist: systemd starts it again every few seconds.
    units: [{ name: socksUnit, restart: 'always', mayWait: true }],
    summary: socks ? `start a SOCKS5 server at ${endpointOf(socks)}` : '',
    unwanted: socks ? undefined : 'remove the SOCKS5 server',
  };
}

const measure = serviceMeasure(socksService, proveSocks);

/** Installs and starts the SOCKS5 server of the site, or removes it. */
export const socksMeasure: Measure = {
  ...measure,
  apply: async (context) => {
    const { name, generate } = socksPassword;
    if (needsPassword(context.site.socks)) {
      await readOrMakeSecret(context.host, name, () => makeSecret(generate));
    }
    await measure.apply(context);
  },
};

function needsPassword(socks: Site['socks']): socks is NonNullable<Site['socks']> {
  return socks !== undefined && !isOnLoopback(socks);
}
