import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { imageTag } from '#contract/bundle/release-name.ts';
import { checkOldData } from '../../../appliance/operations/driver/verify.ts';
import { type ChatFacts, readChatFacts } from '../../../appliance/server/chats/chat-facts.ts';
import type { RunningStack } from '../../integration/stack/running-stack.ts';
import { outsideOf } from '../../integration/stack/smoke-target.ts';

/** What a copy has and costs. */
export interface Copied {
  readonly facts: ChatFacts;
  readonly seconds: number;
  /** Maximum memory of the process, in bytes. */
  readonly peak: number;
}

const container = 'landfall-ui';
/** Seconds until the chat UI is healthy: 12 on two idle CPUs, 90 on busy ones. */
const startLimit = 170;

/** The chat UI of a stack, whose program changes while its volume stays. */
export class UpdatedChatUi {
  readonly #stack: RunningStack;
  /** Folder that Docker has for the volume. */
  readonly volume: string;

  private constructor(stack: RunningStack, volume: string) {
    this.#stack = stack;
    this.volume = volume;
  }

  static async of(stack: RunningStack): Promise<UpdatedChatUi> {
    return new UpdatedChatUi(stack, dirname(await stack.rig.volumeFolder('ui-data')));
  }

  get data(): string {
    return join(this.volume, '_data');
  }

  get facts(): ChatFacts {
    return readChatFacts(this.data);
  }

  /** Stops the program as an update does. Returns the seconds. */
  async stop(): Promise<number> {
    const began = performance.now();
    await this.#stack.rig.engine.getContainer(container).stop({ t: 30 });
    return (performance.now() - began) / 1000;
  }

  /** Reads the database until the end of the program, so that later writes stay in its log. */
  holdMerges(): DatabaseSync {
    const reader = new DatabaseSync(join(this.data, 'webui.db'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM chat').get();
    return reader;
  }

  /** Starts a program as the stage of the stack does: Compose replaces the container. */
  async replace(image: string): Promise<void> {
    const { rig } = this.#stack;
    const own = rig.input.images.find(({ component }) => component === 'ui');
    if (!own) throw new Error('the release has no image of ui');
    await rig.engine.getImage(image).tag({ repo: 'landfall.local/ui', tag: imageTag(own) });
    await rig.compose('up', '--detach', '--no-deps', 'ui');
  }

  /** Starts a program. Returns the seconds until it is healthy. */
  async start(image: string): Promise<number> {
    const began = performance.now();
    await this.replace(image);
    const url = `http://${await this.#stack.rig.address('ui')}:8080/health`;
    const seconds = () => (performance.now() - began) / 1000;
    while (seconds() < startLimit) {
      const answer = await fetch(url).catch(() => undefined);
      if (answer?.ok) return seconds();
      await sleep(100);
    }
    throw new Error(`the chat UI is not healthy:\n${await this.logs()}`);
  }

  /** Waits until the program has ended and Docker has started it again. Returns its output. */
  async restarted(): Promise<string> {
    for (;;) {
      const { RestartCount } = await this.#stack.rig.engine.getContainer(container).inspect();
      if (RestartCount > 0) return await this.logs();
      await sleep(500);
    }
  }

  /** Copies the volume in a process of its own. */
  async copy(id: string): Promise<Copied> {
    const program = fileURLToPath(new URL('copy-volume.ts', import.meta.url));
    const { stdout } = await execa(process.execPath, [program, this.volume, id]);
    return JSON.parse(stdout);
  }

  /** Tests that the running program has this data. Returns what is missing. */
  async flaws(before: ChatFacts): Promise<string[]> {
    const { WEBUI_SECRET_KEY: secret = '' } = this.#stack.secrets;
    const target = await outsideOf(this.#stack);
    return await checkOldData(target, secret, before, this.facts).then(
      () => [],
      (error) => error.problems.map(({ message }: Error) => message),
    );
  }

  /** Changes a database in the volume, as a migration with a mistake would. */
  change(database: 'webui.db' | 'vector_db/chroma.sqlite3', query: string, value: string): void {
    const options = { enableForeignKeyConstraints: false, timeout: 5000 };
    using opened = new DatabaseSync(join(this.data, database), options);
    const { changes } = opened.prepare(query).run(value);
    if (changes !== 1) throw new Error(`${changes} rows changed`);
  }

  async logs(): Promise<string> {
    return await this.#stack.rig.compose('logs', '--tail', '40', 'ui');
  }
}
