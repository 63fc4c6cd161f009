import { runFolder } from '../run-folder.ts';
import { announce } from '../summary/announce.ts';

// `npm run test:real [word…]`: the chat as people use it, with the real Open WebUI, Ollama and
// browser; OpenAI's clients with the relay; certbot.
announce('prepare', 'the first run downloads 1 GB and takes 12 minutes; later runs take 5');
await runFolder('real');
