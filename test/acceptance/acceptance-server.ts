import type { Ran } from '../host/machine/exec.ts';
import type { ConsoleLog } from '../vm/machine/console-log.ts';

/** A fresh server that is set up with a release. */
export interface AcceptanceServer {
  readonly console: Pick<ConsoleLog, 'waitFor' | 'text'>;
  /** Runs a shell command as root. */
  run(command: string): Promise<Ran>;
  /** Settles when the machine is off, if that is known. */
  readonly ended?: Promise<void>;
  remove(): Promise<void>;
}
