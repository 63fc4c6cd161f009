import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { relayBase, relayOrigin } from '../relay/base.ts';

/**
 * Renders what NextChat reads at its start. It holds a relay key and never a provider's: NextChat
 * gives the key it holds to whoever asks in the right way. It serves the first provider of the site.
 */
export function renderChat({ site, secrets }: StackInput): RenderedFile[] {
  const [first] = Object.keys(site.providers);
  const variables = {
    CODE: secrets.CHAT_ACCESS_CODE ?? '',
    // NextChat appends /v1/… itself.
    BASE_URL: first ? relayBase(first) : relayOrigin,
    OPENAI_API_KEY: secrets.RELAY_KEY_CHAT ?? '',
  };
  return [secretFile('chat/secrets.env', envFile(variables), 'chat')];
}
