import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Receiver, targetFor } from '../../stand-ins/alert-receivers/receiver.ts';
import { planted } from '../../stand-ins/alert-receivers/vendors.ts';
import type { Premises } from '../boot/premises.ts';

/** A provider and a receiver of alerts at the gateway of a server, which its site names. */
export interface RouteAlerts {
  readonly receiver: Receiver;
  /** Makes the provider respond, or close every connection. */
  setProvider(works: boolean): void;
  /** Runs the unit of the timer, as systemd does. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Adds an alert target and a provider to the site of a server, and sets the secret of the target. */
export async function addAlerts({ host, cloud }: Premises): Promise<RouteAlerts> {
  const address = cloud.network.gateway.v4;
  let works = true;
  const receiver = await Receiver.start('webhook', undefined, address);
  const provider = createServer((_request, response) => {
    if (works) response.writeHead(401).end();
    else response.destroy();
  });
  await new Promise<void>((resolve) => provider.listen(0, address, resolve));
  const { port } = provider.address() as AddressInfo;
  const providers = { openai: { base_url: `http://${address}:${port}/v1` } };
  const before = await host.output('cat /etc/landfall/site.json');
  const site = JSON.parse(before);
  const alerts = [{ kind: 'webhook' }];
  await host.put('/etc/landfall/site.json', JSON.stringify({ ...site, alerts, providers }));
  const { files } = targetFor('webhook', receiver.origin);
  const [url = ''] = Object.values(files);
  await host.output(`printf %s '${url.trim()}' | landfall secret set alert-webhook-url`);
  return {
    receiver,
    setProvider: (next) => {
      works = next;
    },
    check: async () => {
      // systemd rejects more than five starts in ten seconds; the timer never reaches that.
      const unit = 'landfall-route.service';
      await host.output(`systemctl reset-failed ${unit}; systemctl start ${unit}`);
    },
    close: async () => {
      await host.put('/etc/landfall/site.json', before);
      provider.closeAllConnections();
      await Promise.all([receiver.close(), new Promise((resolve) => provider.close(resolve))]);
    },
  };
}

/** Returns the files and journals of a server that contain the secret of the target. */
export async function leaksOf({ host }: Premises): Promise<string[]> {
  const files = `grep -rls -- ${planted.token} /etc /run /var/lib/landfall /var/log || true`;
  const journal = `journalctl --no-pager | grep -c -- ${planted.token} || true`;
  const found = (await host.output(files)).split('\n').filter((line) => line !== '');
  const lines = Number(await host.output(journal));
  return [...found, ...(lines === 0 ? [] : [`journal: ${lines} lines`])];
}
