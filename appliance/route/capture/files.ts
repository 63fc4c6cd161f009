import type { Opening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { readText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import type { Service } from '../../host/service.ts';
import {
  captureUnit,
  captureUnitFile,
  clientDropIn,
  networkdDropIn,
  nftablesDropIn,
  offScript,
  onScript,
  overlayFile,
  tableFile,
} from './names.ts';
import { renderCandidateOverlay, renderOverlay } from './render-overlay.ts';
import { renderOff, renderOn } from './render-scripts.ts';
import { renderCaptureTable } from './render-table.ts';
import {
  renderCaptureUnit,
  renderClientDropIn,
  renderNetworkdDropIn,
  renderNftablesDropIn,
} from './render-units.ts';
import { clientResolvers } from './resolvers.ts';

/** All files of a capture. None contains a secret. The unit is the last one: it needs the others. */
export const captureFiles = [
  tableFile,
  overlayFile('active'),
  overlayFile('candidate'),
  offScript,
  onScript,
  nftablesDropIn,
  networkdDropIn,
  clientDropIn,
  captureUnitFile,
] as const;

/** The files of a capture, whatever their text: what tells whether a server captures connections. */
export const anyCapture = {
  files: captureFiles.map((path) => ({ path, text: (current: string | undefined) => current })),
  units: [{ name: captureUnit }],
  unwanted: 'stop to capture connections',
} satisfies Service;

/** Returns the files and the unit of a capture. */
export async function captureService(
  host: Host,
  site: Pick<Site, 'dns'>,
  openings: readonly Opening[],
): Promise<Service> {
  const resolvers = await clientResolvers(host, site);
  // Of new interfaces: a TUN interface without IPv6 rejects such an address. The kernel may lack the file.
  const disabled = await readText(host, 'proc/sys/net/ipv6/conf/default/disable_ipv6');
  const hasIPv6 = disabled?.trim() === '0';
  const texts: Readonly<Record<(typeof captureFiles)[number], string>> = {
    [tableFile]: renderCaptureTable(true),
    [overlayFile('active')]: renderOverlay({ ...resolvers, hasIPv6 }),
    [overlayFile('candidate')]: renderCandidateOverlay(resolvers),
    [offScript]: renderOff(host),
    [onScript]: renderOn(host, openings),
    [nftablesDropIn]: renderNftablesDropIn(),
    [networkdDropIn]: renderNetworkdDropIn(),
    [clientDropIn]: renderClientDropIn(),
    [captureUnitFile]: renderCaptureUnit(),
  };
  return {
    files: captureFiles.map((path) => ({ path, text: texts[path] })),
    units: [{ name: captureUnit, restart: 'reload' }],
  };
}
