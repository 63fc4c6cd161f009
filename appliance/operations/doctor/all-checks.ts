import type { Stage } from '../../server/stage/stage.ts';
import { agentsCheck } from './checks/agents.ts';
import { certificateCheck, dnsRecordsCheck } from './checks/certificate.ts';
import {
  accessCheck,
  backupCheck,
  diskSpaceCheck,
  relayUsageCheck,
  stuckUpdateCheck,
} from './checks/conditions.ts';
import {
  componentsCheck,
  containerHostNameCheck,
  containerProxyCheck,
  engineCheck,
  memoryCheck,
} from './checks/containers.ts';
import { dockerVersionCheck } from './checks/docker.ts';
import { enginesCheck } from './checks/engines.ts';
import { firstBootCheck, stageChecks, unconfirmedCheck } from './checks/first-boot.ts';
import { firewallCheck, gatewayCheck, portsCheck } from './checks/gateway.ts';
import { chatModelCheck, modelsCheck, providerKeysCheck } from './checks/models.ts';
import { namesCheck, networkCheck } from './checks/names.ts';
import {
  appArmorCheck,
  banCheck,
  clockCheck,
  diskCheck,
  packagesCheck,
  releaseCheck,
  servicesCheck,
} from './checks/server.ts';
import { sshCheck } from './checks/ssh.ts';
import type { Check } from './finding.ts';

/** Returns all checks of a server: those of single faults, and one per stage of the first boot. */
export function allChecks(stages: readonly Stage[]): Check[] {
  return [
    firstBootCheck,
    unconfirmedCheck,
    stuckUpdateCheck,
    sshCheck,
    firewallCheck,
    banCheck,
    clockCheck,
    diskCheck,
    diskSpaceCheck,
    packagesCheck,
    servicesCheck,
    appArmorCheck,
    namesCheck,
    networkCheck,
    portsCheck,
    componentsCheck,
    memoryCheck,
    containerHostNameCheck,
    containerProxyCheck,
    engineCheck,
    accessCheck,
    gatewayCheck,
    dnsRecordsCheck,
    certificateCheck,
    modelsCheck,
    chatModelCheck,
    providerKeysCheck,
    relayUsageCheck,
    agentsCheck,
    enginesCheck,
    backupCheck,
    dockerVersionCheck,
    releaseCheck,
    ...stageChecks(stages),
  ];
}
