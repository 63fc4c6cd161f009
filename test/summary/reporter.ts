import { MinimalReporter, type TestModule } from 'vitest/node';

/** Prints failures in full, and one line or nothing for files that pass. */
export class FileReporter extends MinimalReporter {
  readonly #showsFiles: boolean;

  /** @param showsFiles for suites with few, slow files */
  constructor({ showsFiles }: { readonly showsFiles: boolean }) {
    super();
    this.#showsFiles = showsFiles;
  }

  override printTestModule(module: TestModule): void {
    if (!this.#showsFiles || module.state() === 'failed') {
      super.printTestModule(module);
      return;
    }
    const count = [...module.children.allTests()].length;
    const { duration } = module.diagnostic();
    const [, where = ''] = /^host(-.*)$/.exec(module.project.name) ?? [];
    const seconds = `${(duration / 1000).toFixed(1)} s`;
    this.log(
      `  ${seconds.padStart(8)}  ${String(count).padStart(4)} tests  ${module.relativeModuleId}${where.replace('-', ' on ')}`,
    );
  }
}
