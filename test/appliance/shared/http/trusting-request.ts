/* Sends one request in a separate process with its own environment: node … <url> */
import { HttpClient } from '#http/client.ts';

const client = new HttpClient({ env: {} });
const response = await client.send({ url: new URL(process.argv[2] ?? '') });
process.stdout.write(await response.bytes(100));
await client.close();
