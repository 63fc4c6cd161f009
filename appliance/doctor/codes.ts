import { providerKeyName } from '#contract/site/key-names.ts';
import type { Language } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { pages } from './pages.ts';

interface CodeRow {
  /** The text in the remedy that stands for the subject of the finding. Default: none. */
  readonly placeholder?: string;
  /** Codes that explain this one: with one of them, it is only a consequence. */
  readonly follows?: readonly string[];
}

/** Stands for the name of a provider's key; the subject is the provider. */
const keyPlaceholder = 'NAME_API_KEY';

/**
 * The codes of findings, most urgent first: each can cause those below it. Their remedies are in
 * `docs/doctor.md`.
 */
const rows = {
  SITE_INVALID: {},
  SSH_LOCKOUT_RISK: {},
  CHANGE_UNCONFIRMED: {},
  DISK_FULL: {},
  CLOCK_WRONG: {},
  PACKAGES_BROKEN: {
    follows: ['DISK_FULL'],
  },
  NAME_UNRESOLVED: {},
  NAME_POLLUTED: {},
  PROXY_FAILS: {},
  TLS_UNTRUSTED: {
    follows: ['CLOCK_WRONG', 'NAME_POLLUTED'],
  },
  PROVIDER_UNREACHABLE: {
    follows: ['NAME_UNRESOLVED', 'NAME_POLLUTED', 'PROXY_FAILS', 'TLS_UNTRUSTED'],
  },
  PORT_USED: {},
  DOCKER_DOWN: {
    follows: ['DISK_FULL', 'PACKAGES_BROKEN'],
  },
  FIRST_BOOT_FAILED: {},
  OUT_OF_MEMORY: {},
  COMPONENT_DOWN: {
    placeholder: 'NAME',
    follows: ['DOCKER_DOWN', 'PORT_USED'],
  },
  UI_WITHOUT_ENGINE: {
    follows: ['DOCKER_DOWN', 'COMPONENT_DOWN'],
  },
  DNS_RECORD_MISSING: {},
  CERTIFICATE_INVALID: {
    follows: ['DNS_RECORD_MISSING'],
  },
  GATEWAY_SETTINGS: {},
  GATEWAY_DOWN: {
    follows: [
      'DOCKER_DOWN',
      'COMPONENT_DOWN',
      'PORT_USED',
      'CERTIFICATE_INVALID',
      'GATEWAY_SETTINGS',
    ],
  },
  GATEWAY_BAD_GATEWAY: {
    follows: ['DOCKER_DOWN', 'COMPONENT_DOWN', 'GATEWAY_DOWN'],
  },
  GATEWAY_FORBIDDEN: {
    follows: ['GATEWAY_DOWN'],
  },
  CONTAINER_WITHOUT_PROXY: {
    follows: ['COMPONENT_DOWN'],
  },
  HOST_NAME_IN_CONTAINER: {},
  MODEL_PULL_TIMEOUT: {
    placeholder: 'NAME',
    follows: ['NAME_UNRESOLVED', 'NAME_POLLUTED', 'PROXY_FAILS', 'TLS_UNTRUSTED'],
  },
  MODEL_MISSING: {
    placeholder: 'NAME',
    follows: ['DOCKER_DOWN', 'COMPONENT_DOWN', 'MODEL_PULL_TIMEOUT', 'DISK_FULL'],
  },
  PROVIDER_KEY_MISSING: {
    placeholder: keyPlaceholder,
  },
  PROVIDER_KEY_REFUSED: {
    placeholder: keyPlaceholder,
  },
  FIREWALL_DIFFERS: {},
  PORT_CLOSED: {
    placeholder: 'PORT/PROTOCOL',
  },
  BAN_DOWN: {},
  SERVICE_FAILED: {
    placeholder: 'UNIT',
    follows: ['DOCKER_DOWN', 'BAN_DOWN', 'DISK_FULL', 'COMPONENT_DOWN'],
  },
  RELEASE_EXPIRED: {},
  STAGE_PENDING: {
    follows: [
      'SITE_INVALID',
      'SSH_LOCKOUT_RISK',
      'CLOCK_WRONG',
      'DOCKER_DOWN',
      'COMPONENT_DOWN',
      'PACKAGES_BROKEN',
      'DNS_RECORD_MISSING',
      'CERTIFICATE_INVALID',
      'GATEWAY_SETTINGS',
      'FIREWALL_DIFFERS',
      'BAN_DOWN',
      'MODEL_MISSING',
      'MODEL_PULL_TIMEOUT',
      'PORT_USED',
      'NAME_UNRESOLVED',
      'DISK_FULL',
    ],
  },
  CHECK_FAILED: {
    follows: [
      'SSH_LOCKOUT_RISK',
      'DISK_FULL',
      'PACKAGES_BROKEN',
      'DOCKER_DOWN',
      'COMPONENT_DOWN',
      'GATEWAY_DOWN',
    ],
  },
  CHECK_TIMED_OUT: {
    follows: ['DISK_FULL', 'DOCKER_DOWN', 'NAME_UNRESOLVED'],
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** The literal code of a finding. Programs compare it, never the text. */
export type FindingCode = keyof typeof rows;

/** All codes, most urgent first. */
export const findingCodes = Object.keys(rows) as FindingCode[];

/** Returns which codes explain a code, and the placeholder in its remedy. */
export function rowOf(code: FindingCode): CodeRow {
  return rows[code];
}

/** Returns what to do about a finding, with its subject in commands. */
export function remedyFor(code: FindingCode, subject: string, language: Language = 'en'): string {
  const remedy = pages[language].findings[code]?.remedy ?? '';
  const { placeholder } = rowOf(code);
  if (!placeholder) return remedy;
  const value = plainLine(subject);
  return remedy.replaceAll(
    placeholder,
    placeholder === keyPlaceholder ? providerKeyName(value) : value,
  );
}
