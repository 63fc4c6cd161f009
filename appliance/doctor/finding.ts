import type { Host } from '../host/host.ts';
import type { Context, StageName } from '../stage/stage.ts';
import type { FindingCode } from './codes.ts';

/** A fault of the server. */
export interface Finding {
  readonly code: FindingCode;
  /** What the fault is about: a component, a host name, a file. */
  readonly subject: string;
  /** One sentence without a full stop. */
  readonly text: string;
  readonly details?: readonly string[];
  /** Present if an automatic fix is safe: it never changes SSH, accounts or the firewall. */
  readonly fix?: Fix;
}

export interface Fix {
  /** What the fix will do: `start Docker`. Findings with the same text share one fix. */
  readonly does: string;
  apply(tools: FixTools): Promise<void>;
}

/** What fixes may use. */
export interface FixTools {
  readonly host: Host;
  /** Runs one stage of the first boot: checks, applies and verifies it. */
  runStage(name: SafeStage): Promise<void>;
}

/** The stages that cannot lock out the administrator. */
export type SafeStage = Exclude<StageName, 'preflight' | 'users' | 'ssh' | 'firewall' | 'ban'>;

/** Returns a fix that runs a stage of the first boot. */
export function stageFix(name: SafeStage, does: string): Fix {
  return { does, apply: ({ runStage }) => runStage(name) };
}

interface CheckParts {
  /** Short stable name: `docker`. */
  readonly name: string;
  /** Whether it must be run as root. */
  readonly root: boolean;
}

/** A check that needs no site: it also runs on a server whose site is unreadable. */
interface ServerCheck extends CheckParts {
  readonly needs: 'server';
  run(host: Host): Promise<readonly Finding[]>;
}

interface SiteCheck extends CheckParts {
  readonly needs: 'site';
  run(context: Context): Promise<readonly Finding[]>;
}

/** A read-only check that returns what is wrong; empty on a healthy server. */
export type Check = ServerCheck | SiteCheck;
