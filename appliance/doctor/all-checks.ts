import type { Stage } from '../stage/stage.ts';
import { banCheck } from './checks/ban.ts';
import { certificateCheck } from './checks/certificate.ts';
import { clockCheck } from './checks/clock.ts';
import { componentsCheck } from './checks/components.ts';
import { containerHostNameCheck } from './checks/container-host-name.ts';
import { containerProxyCheck } from './checks/container-proxy.ts';
import { diskCheck } from './checks/disk.ts';
import { dnsRecordsCheck } from './checks/dns-records.ts';
import { engineCheck } from './checks/engine.ts';
import { firewallCheck } from './checks/firewall.ts';
import { firstBootCheck } from './checks/first-boot.ts';
import { gatewayCheck } from './checks/gateway.ts';
import { memoryCheck } from './checks/memory.ts';
import { modelsCheck } from './checks/models.ts';
import { namesCheck } from './checks/names.ts';
import { networkCheck } from './checks/network.ts';
import { packagesCheck } from './checks/packages.ts';
import { portsCheck } from './checks/ports.ts';
import { providerKeysCheck } from './checks/provider-keys.ts';
import { releaseCheck } from './checks/release.ts';
import { servicesCheck } from './checks/services.ts';
import { sshCheck } from './checks/ssh.ts';
import { stageChecks } from './checks/stages.ts';
import { unconfirmedCheck } from './checks/unconfirmed.ts';
import type { Check } from './finding.ts';

/** Returns all checks of a server: those of single faults, and one per stage of the first boot. */
export function allChecks(stages: readonly Stage[]): Check[] {
  return [
    firstBootCheck,
    unconfirmedCheck,
    sshCheck,
    firewallCheck,
    banCheck,
    clockCheck,
    diskCheck,
    packagesCheck,
    servicesCheck,
    namesCheck,
    networkCheck,
    portsCheck,
    componentsCheck,
    memoryCheck,
    containerHostNameCheck,
    containerProxyCheck,
    engineCheck,
    gatewayCheck,
    dnsRecordsCheck,
    certificateCheck,
    modelsCheck,
    providerKeysCheck,
    releaseCheck,
    ...stageChecks(stages),
  ];
}
