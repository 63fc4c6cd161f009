import type { WritePage } from '../pages/page.ts';
import type { RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** What only one component needs on a server. Everything is optional. */
export interface ComponentCode {
  /** Renders the files that its container reads. Called only where the site runs it. */
  readonly configuration?: (input: StackInput) => RenderedFile[];
  /** Returns variables of `compose.yaml` besides port, limits and configuration hash. */
  readonly variables?: (input: StackInput) => Readonly<Record<string, string>>;
  /** Returns what the gateway does under its host name, for a scheme. */
  readonly locations?: (scheme: 'http' | 'https') => string;
  /** Writes its page of the documentation of the server. */
  readonly page?: WritePage;
}
