import { afterAll, beforeAll, expect } from 'vitest';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import { chatName, firstBooted, type PremisesDependencies } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { UpdateLab } from '../commands/update-lab.ts';
import { ChatData } from './chat-data.ts';
import { type Visit, visitDuring } from './visitor.ts';

/** A server of release 0.1.0 with a chat and a document, and a maintainer of later releases. */
export class UpdatedServer {
  readonly premises: Premises;
  readonly lab: UpdateLab;
  readonly data: ChatData;

  private constructor(premises: Premises, lab: UpdateLab, data: ChatData) {
    this.premises = premises;
    this.lab = lab;
    this.data = data;
  }

  static async open(
    given: PremisesDependencies,
    distribution: HostDistribution,
  ): Promise<UpdatedServer> {
    const premises = await firstBooted(given, distribution);
    const lab = await UpdateLab.open(premises);
    await lab.addRelease('0.1.0');
    return new UpdatedServer(premises, lab, await ChatData.create(premises.host));
  }

  output(command: string): Promise<string> {
    return this.premises.host.output(command);
  }

  /** The release that runs, such as `releases/0.1.0-amd64`. */
  current(): Promise<string> {
    return this.output('readlink /opt/landfall/current');
  }

  /** Runs an update, while a visitor uses the chat. */
  async update(command: string): Promise<{ exitCode: number; stdout: string; visit: Visit }> {
    let ran = { exitCode: -1, stdout: '' };
    const visit = await visitDuring(this.premises.administrator, chatName, async () => {
      ran = await this.lab.run(`${command} 2>&1`);
    });
    return { ...ran, visit };
  }

  /**
   * Installs a release whose chat UI has a fault, and expects that the server goes back.
   * @param version such as `0.3.0`
   * @param reason words of the output
   */
  async goesBackFrom(version: string, ui: Fault, reason: string, options = ''): Promise<void> {
    const { lab } = this;
    const before = await this.current();
    await lab.build(version, { ui });
    await lab.sign('release');
    const { exitCode, stdout, visit } = await this.update(`landfall update --yes ${options}`);
    expect(stdout).toContain(`${version} was rolled back`);
    expect(stdout).toContain(reason);
    expect(exitCode).toBe(11);
    expect(await this.current()).toBe(before);
    expect(await this.data.found()).toEqual({ chat: true, document: true });
    printFigure(`${ui}: ${visit.away.toFixed(1)} s without the chat`);
    expect(visit.away).toBeLessThan(120);
    const again = await lab.run('landfall update --yes 2>&1');
    expect(again.stdout).toContain(`${version} was rolled back: `);
    await lab.remove(version);
  }

  close(): void {
    this.lab.close();
    this.premises.close();
  }
}

/** Variants of the chat UI's stand-in. */
type Fault = 'does-not-start' | 'fails-half-way' | 'fails-smoke' | 'loses-chats' | 'hangs';

/** The summary of the suite shows no console of passing tests. */
export function printFigure(text: string): void {
  process.stderr.write(`  update: ${text}\n`);
}

/** Starts the server before all tests. Returns a function, because it is known only then. */
export function useUpdatedServer(
  given: PremisesDependencies,
  distribution: HostDistribution,
): () => UpdatedServer {
  let server: UpdatedServer;
  beforeAll(async () => {
    server = await UpdatedServer.open(given, distribution);
  });
  afterAll(() => server?.close());
  return () => server;
}
