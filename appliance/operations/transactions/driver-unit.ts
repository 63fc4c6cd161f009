import { program } from '#contract/bundle/bundle-paths.ts';
import { nodeBinary } from '#contract/server-paths.ts';
import { removeFile } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install, reloadUnits, type Service, unitFileOf } from '../../server/host/service.ts';

/** The unit that applies an update. It is enabled while a transaction is open. */
const driverUnit = 'landfall-update.service';

/**
 * Returns the unit with the program of the release that is being replaced: it stays the same until the
 * update ends, also after a power cut.
 * @param folder absolute path of that release
 */
function driverService(folder: string): Service {
  const text = `[Unit]
Description=Landfall update
Documentation=man:landfall(8)
Wants=network-online.target
After=network-online.target docker.service
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${folder}/${nodeBinary} ${folder}/${program} apply-transaction
Environment=HOME=/root
Restart=on-failure
RestartSec=5
KillMode=control-group
TimeoutStopSec=30

[Install]
WantedBy=multi-user.target
`;
  return {
    files: [{ path: unitFileOf(driverUnit), text }],
    units: [{ name: driverUnit }],
  };
}

/** Starts the unit, and returns while it runs. */
export async function startDriver(host: Host, folder: string): Promise<void> {
  await install(host, driverService(folder));
  // The unit must be on disk before the server changes.
  await host.run('sync', []);
  await host.run('systemctl', ['start', '--no-block', driverUnit]);
}

/** Removes the unit, whose program calls this, so it is not stopped. */
export async function removeDriver(host: Host): Promise<void> {
  await host.run('systemctl', ['disable', '--quiet', driverUnit], { accept: [1] });
  await removeFile(host, unitFileOf(driverUnit));
  await reloadUnits(host);
}
