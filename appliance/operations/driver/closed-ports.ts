import { isEngineNode } from '#contract/site/enabled.ts';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import type { Site } from '#contract/site/site.ts';
import { type Service, unitFileOf } from '../../server/host/service.ts';

const unit = 'landfall-closed.service';
const tableFile = 'etc/landfall/closed.nft';
const table = 'inet landfall_closed';

/**
 * Rejects the first server, so that it does not wait. After the table of the firewall, which drops others,
 * and before Docker's destination NAT.
 */
const fromOutside = `  chain arriving {
    type filter hook prerouting priority -140; policy accept;
    iifname != "lo" fib daddr type local tcp dport ${enginePort} reject with tcp reset
  }
`;

/**
 * Returns the service that closes the loopback ports of the chat UI and of Ollama during an update, for all
 * but root, whose tests use them. SSH tunnels end there. On an engine node it closes the port of the
 * gateway for the first server, which uses another node then. Its unit loads the table before Docker starts
 * containers, also after a power cut.
 */
export function closedPorts({ ports, role }: Pick<Site, 'ports' | 'role'>): Service {
  const isNode = isEngineNode({ role });
  const rule = `oifname "lo" tcp dport { ${isNode ? enginePort : ports.ui}, ${ports.engine} } meta skuid != 0`;
  return {
    files: [
      {
        path: tableFile,
        text: `# Made by landfall for an update, and removed at its end.
table ${table}
delete table ${table}
table ${table} {
  chain output {
    type filter hook output priority -150; policy accept;
    ${rule} reject with tcp reset
  }
${isNode ? fromOutside : ''}}
`,
      },
      {
        path: unitFileOf(unit),
        text: `[Unit]
Description=Landfall: closed for an update
DefaultDependencies=no
After=local-fs.target nftables.service
Before=network-pre.target docker.service shutdown.target
Conflicts=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=nft --file /${tableFile}
ExecStop=-nft delete table ${table}

[Install]
WantedBy=sysinit.target
`,
      },
    ],
    units: [{ name: unit, restart: 'always' }],
  };
}
