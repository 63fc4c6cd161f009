import type { Symptom } from './symptom.ts';

const hereOnServer = 'Run `sudo landfall doctor` on the server';

/** Faults that a browser shows. */
export const browserSymptoms: readonly Symptom[] = [
  {
    name: 'browser-403',
    title: 'the browser shows 403',
    condition: 'reverse proxy 403',
    first: {
      question: 'Which address is in the address bar?',
      answers: [
        {
          answer: 'an IP address, or another domain than that of the site',
          remedy:
            'The gateway serves only the configured domains, because the request host differs from them. Use the domain that `landfall report` shows.',
        },
        {
          answer: 'the domain of the site',
          remedy:
            'Compare it with `hosts` in /etc/landfall/site.json, letter by letter. After a change of the domain, run `sudo landfall first-boot`. A CDN must forward the original name in the header Host.',
        },
      ],
    },
  },
  {
    name: 'browser-502',
    title: 'the browser shows 502 or 504, or a page that says a component is starting',
    condition: 'reverse proxy 502 Bad Gateway',
    first: {
      question: 'How long does it last?',
      answers: [
        {
          answer: 'less than three minutes',
          remedy: 'The component is starting; the page refreshes automatically. Wait.',
        },
        {
          answer: 'longer',
          remedy: `${hereOnServer}; it names the component. By hand: check the mapping 3000:8080 with \`sudo docker port landfall-ui\`, test \`curl -I http://127.0.0.1:3000\` on the server, and read the error log with \`sudo docker logs --tail 50 landfall-gateway\`.`,
        },
      ],
    },
  },
  {
    name: 'browser-no-answer',
    title: 'the browser does not reach the server',
    first: {
      question: 'What does the browser show?',
      answers: [
        {
          answer: 'the name was not found',
          remedy:
            'Create the DNS records that `landfall report` lists at the provider of the domain. They take effect within 30 seconds to 2 minutes.',
        },
        {
          answer: 'a timeout, or connection refused',
          remedy: `Open the ports 80 and 443 in the firewall of the provider. ${hereOnServer}: it shows whether the gateway answers there. Your address may also be banned: \`sudo fail2ban-client status gateway-scan\`.`,
        },
        {
          answer: 'a warning about the certificate',
          remedy:
            'Without a domain the certificate is self-signed: compare its SHA-256 with the one that `landfall report` shows, and accept it once. With a domain, run `sudo landfall tls status`: it names why the authority has not issued a certificate.',
        },
      ],
    },
  },
  {
    name: 'chat-no-model',
    title: 'the chat has no model, or a model does not answer',
    condition: 'web UI shows engine connection failure',
    first: {
      question: 'What does the chat show?',
      answers: [
        {
          answer: 'no model, or a connection failure of Ollama',
          remedy: `${hereOnServer}. It verifies that OLLAMA_BASE_URL is http://engine:11434, the container of the inference engine, and the models. \`sudo landfall models pull NAME\` continues an interrupted download.`,
        },
        {
          answer: 'local models, but no hosted ones',
          remedy:
            'Set the key of the provider with `sudo landfall secret set NAME_API_KEY`, then run `sudo landfall smoke`: it shows whether the relay reaches the provider.',
        },
        {
          answer: 'it answers very slowly',
          remedy:
            'A model needs more processor cores or a smaller size: `sudo landfall plan` shows the models that fit. The first answer after a start also loads the model.',
        },
      ],
    },
  },
  {
    name: 'no-landfall',
    title: 'nothing happened after I pasted the user-data',
    first: {
      question: 'Can you log in to the server?',
      answers: [
        {
          answer: 'no',
          remedy:
            'Open the console of the provider: it shows the progress of the bootstrap. Before the stage ssh, log in as the provider documents.',
        },
        {
          answer: 'yes',
          remedy:
            'Run `cloud-init status --long`. Check that you pasted the whole text, with `#cloud-config` as its first line, and that user-data is enabled. `cat /run/landfall/bootstrap` shows why a download fails.',
        },
      ],
    },
  },
];
