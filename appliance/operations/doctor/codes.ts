import { providerKeyName } from '#contract/site/key-names.ts';
import type { Language } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { pages } from './pages.ts';

/**
 * The codes of findings, most urgent first, each with the codes that explain it: with one of them, it
 * is only a consequence. Their remedies are in `docs/doctor.md`.
 */
const causes = {
  SITE_INVALID: [],
  SSH_LOCKOUT_RISK: [],
  SSH_OPENED: [],
  CHANGE_UNCONFIRMED: [],
  UPDATE_STUCK: [],
  DISK_FULL: [],
  CLOCK_WRONG: [],
  PACKAGES_BROKEN: ['DISK_FULL'],
  APPARMOR_DENIED: [],
  NAME_UNRESOLVED: [],
  NAME_POLLUTED: [],
  PROXY_FAILS: [],
  TLS_UNTRUSTED: ['CLOCK_WRONG', 'NAME_POLLUTED'],
  PROVIDER_UNREACHABLE: ['NAME_UNRESOLVED', 'NAME_POLLUTED', 'PROXY_FAILS', 'TLS_UNTRUSTED'],
  PORT_USED: [],
  DOCKER_DOWN: ['DISK_FULL', 'PACKAGES_BROKEN'],
  FIRST_BOOT_FAILED: [],
  OUT_OF_MEMORY: [],
  COMPONENT_DOWN: ['DOCKER_DOWN', 'PORT_USED'],
  UI_WITHOUT_ENGINE: ['DOCKER_DOWN', 'COMPONENT_DOWN'],
  DNS_RECORD_MISSING: [],
  CERTIFICATE_INVALID: ['DNS_RECORD_MISSING'],
  ACCESS_DOWN: [],
  GATEWAY_SETTINGS: [],
  GATEWAY_DOWN: [
    'DOCKER_DOWN',
    'COMPONENT_DOWN',
    'PORT_USED',
    'CERTIFICATE_INVALID',
    'ACCESS_DOWN',
    'GATEWAY_SETTINGS',
  ],
  GATEWAY_BAD_GATEWAY: ['DOCKER_DOWN', 'COMPONENT_DOWN', 'GATEWAY_DOWN'],
  GATEWAY_FORBIDDEN: ['GATEWAY_DOWN'],
  CONTAINER_WITHOUT_PROXY: ['COMPONENT_DOWN'],
  HOST_NAME_IN_CONTAINER: [],
  MODEL_PULL_TIMEOUT: ['NAME_UNRESOLVED', 'NAME_POLLUTED', 'PROXY_FAILS', 'TLS_UNTRUSTED'],
  MODEL_MISSING: ['DOCKER_DOWN', 'COMPONENT_DOWN', 'MODEL_PULL_TIMEOUT', 'DISK_FULL'],
  CHAT_NO_MODEL: [],
  PROVIDER_KEY_MISSING: [],
  PROVIDER_KEY_REFUSED: [],
  PROVIDER_MODEL_UNKNOWN: [],
  RELAY_USAGE_UNUSABLE: ['DISK_FULL'],
  AGENT_MODEL_UNFIT: [],
  ENGINE_DOWN: ['DOCKER_DOWN', 'COMPONENT_DOWN'],
  ENGINE_MODEL_MISSING: [],
  ENGINE_OTHER_RELEASE: [],
  ENGINE_SLOW: [],
  FIREWALL_DIFFERS: [],
  PORT_CLOSED: [],
  BAN_DOWN: [],
  SERVICE_FAILED: ['DOCKER_DOWN', 'BAN_DOWN', 'DISK_FULL', 'COMPONENT_DOWN'],
  DISK_LOW: ['DISK_FULL'],
  BACKUP_MISSING: [],
  BACKUP_KEY_UNCONFIRMED: [],
  BACKUP_OLD: ['DISK_FULL'],
  BACKUP_TEST_FAILED: ['DISK_FULL'],
  DOCKER_OUTDATED: [],
  RELEASE_EXPIRED: [],
  STAGE_PENDING: [
    'SITE_INVALID',
    'SSH_LOCKOUT_RISK',
    'SSH_OPENED',
    'CLOCK_WRONG',
    'DOCKER_DOWN',
    'COMPONENT_DOWN',
    'PACKAGES_BROKEN',
    'DNS_RECORD_MISSING',
    'CERTIFICATE_INVALID',
    'ACCESS_DOWN',
    'GATEWAY_SETTINGS',
    'FIREWALL_DIFFERS',
    'BAN_DOWN',
    'MODEL_MISSING',
    'MODEL_PULL_TIMEOUT',
    'PORT_USED',
    'NAME_UNRESOLVED',
    'DISK_FULL',
  ],
  CHECK_FAILED: [
    'SSH_LOCKOUT_RISK',
    'DISK_FULL',
    'PACKAGES_BROKEN',
    'DOCKER_DOWN',
    'COMPONENT_DOWN',
    'GATEWAY_DOWN',
  ],
  CHECK_TIMED_OUT: ['DISK_FULL', 'DOCKER_DOWN', 'NAME_UNRESOLVED'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The literal code of a finding. Programs compare it, never the text. */
export type FindingCode = keyof typeof causes;

/** All codes, most urgent first. */
export const findingCodes = Object.keys(causes) as FindingCode[];

/** Stages that need neither Docker nor the gateway. */
const firstStages = new Set(['preflight', 'route', 'users', 'ssh', 'firewall', 'ban', 'kernel']);
const onlyOfLaterStages: readonly string[] = [
  ...['DOCKER_DOWN', 'COMPONENT_DOWN', 'DNS_RECORD_MISSING', 'CERTIFICATE_INVALID'],
  ...['GATEWAY_SETTINGS', 'MODEL_MISSING', 'MODEL_PULL_TIMEOUT', 'PORT_USED'],
];

/** Returns the codes that explain a finding: a stage is a consequence only of what it depends on. */
export function causesOf(code: FindingCode, subject = ''): readonly string[] {
  if (code !== 'STAGE_PENDING' || !firstStages.has(subject)) return causes[code];
  return causes[code].filter((cause) => !onlyOfLaterStages.includes(cause));
}

/** The texts in remedies that stand for the subject of the finding. */
const placeholders: Readonly<Partial<Record<FindingCode, string>>> = {
  COMPONENT_DOWN: 'NAME',
  MODEL_PULL_TIMEOUT: 'NAME',
  MODEL_MISSING: 'NAME',
  PROVIDER_KEY_MISSING: 'NAME_API_KEY',
  PROVIDER_KEY_REFUSED: 'NAME_API_KEY',
  ENGINE_DOWN: 'NAME',
  ENGINE_MODEL_MISSING: 'NAME',
  ENGINE_SLOW: 'NAME',
  PORT_CLOSED: 'PORT/PROTOCOL',
  SERVICE_FAILED: 'UNIT',
  APPARMOR_DENIED: 'PROFILE',
  DOCKER_OUTDATED: 'PACKAGE',
};

/** Returns what to do about a finding, with its subject in commands. */
export function remedyFor(code: FindingCode, subject: string, language: Language = 'en'): string {
  const remedy = pages[language].findings[code]?.remedy ?? '';
  const placeholder = placeholders[code];
  if (!placeholder) return remedy;
  const value = plainLine(subject);
  // The subject is the provider; its remedy names the key.
  const shown = placeholder === 'NAME_API_KEY' ? providerKeyName(value) : value;
  return remedy.replaceAll(placeholder, shown);
}
