import type { WritePage } from '../pages/page.ts';
import type { RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** The code of one component on a server. All members are optional. */
export interface ComponentCode {
  /** Renders the files that its container reads. Called only when the site enables it. */
  readonly configuration?: (input: StackInput) => RenderedFile[];
  /** Returns its variables of `compose.yaml`, besides port, limits and configuration hash. */
  readonly variables?: (input: StackInput) => Readonly<Record<string, string>>;
  /** Returns its nginx settings and locations at the gateway. */
  readonly locations?: (scheme: 'http' | 'https') => string;
  /** Writes its page of the server's documentation. */
  readonly page?: WritePage;
}
