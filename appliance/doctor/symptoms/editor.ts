import type { Symptom } from './symptom.ts';

/** Faults of a code editor with a hosted AI, on a user's computer behind a restricted network. */
export const editorSymptoms: readonly Symptom[] = [
  {
    name: 'editor-code',
    title: 'the verification code of the editor does not arrive',
    condition: 'editor verification code not received',
    first: {
      question: 'Where did you look for the code?',
      answers: [
        {
          answer: 'only in the inbox',
          remedy:
            'Delivery can be delayed. Wait two minutes, check the spam folder, then request one new code: each request makes the earlier codes invalid.',
        },
        {
          answer: 'also in the spam folder',
          next: {
            question: 'Which mail provider do you use?',
            answers: [
              {
                answer: 'one of my country or my company',
                remedy:
                  'Use an international mail provider: mail filters of companies and countries delay or drop such mails. Keep the proxy on during the whole sign-in.',
              },
              {
                answer: 'an international one',
                remedy:
                  'Check the spelling of the address, wait ten minutes, and request one new code with the proxy on. Otherwise sign in with a code-hosting account.',
              },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'editor-ai-reply',
    title: 'the AI of the editor replies with nothing, or with "Network Error"',
    condition: 'editor AI reply empty or "Network Error"',
    first: {
      question: 'Does the proxy use a list of domains (a PAC file or rules)?',
      answers: [
        {
          answer: 'yes',
          remedy:
            "The hosts of the AI API are not routed through the proxy. Add the API domains of the editor's vendor to the rules of the proxy, or add a wildcard of its domain to the PAC list, such as `*.vendor.example`. Then restart the editor.",
        },
        {
          answer: 'no, it forwards everything',
          next: {
            question: 'Does the setting `http.proxy` of the editor name the proxy?',
            answers: [
              {
                answer: 'no, or I do not know',
                remedy:
                  'Set `http.proxy` to `http://HOST:PORT` in the settings of the editor and restart it. The extension process does not read the proxy of the system on every platform.',
              },
              {
                answer: 'yes',
                remedy:
                  "Test the API host of the editor's vendor through the proxy: `curl -x http://HOST:PORT -I https://API-HOST`. A status other than 200 to 499 means that the proxy blocks it: add the vendor's API domains to its rules.",
              },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'editor-login-spins',
    title: 'the sign-in of the editor with a code-hosting account spins and does not end',
    condition: 'editor code-hosting login spins',
    first: {
      question: 'Is `http.proxy` set in the settings of the editor?',
      answers: [
        {
          answer: 'no, or I do not know',
          remedy:
            'The built-in browser has no proxy. Set `http.proxy` to `http://HOST:PORT`, restart the editor and sign in again.',
        },
        {
          answer: 'yes',
          next: {
            question: 'Which system does the editor run on?',
            answers: [
              {
                answer: 'Windows',
                remedy:
                  'Enable the loopback option of the proxy client (UWP loopback), so that the built-in browser reaches the proxy on 127.0.0.1. If that does not help, sign in with email.',
              },
              {
                answer: 'macOS or Linux',
                remedy:
                  'Confirm the port of `http.proxy` with `curl -x http://HOST:PORT -I https://github.com`, then sign in again. If that does not help, sign in with email.',
              },
            ],
          },
        },
      ],
    },
  },
];
