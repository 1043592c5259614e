// What the tabs of a browser share: one stream of events for each language. A browser opens few connections to one host,
// six as a rule, so that with a stream for each tab a seventh would wait for ever.
"use strict";

/** By language: the stream, the tabs that listen to it, and what it last said. */
const streams = new Map();

function open(lang) {
  const stream = { source: new EventSource("events" + (lang ? `?lang=${lang}` : "")), tabs: new Set(), last: null };
  const tell = data => stream.tabs.forEach(tab => tab.postMessage(data));
  stream.source.onmessage = event => tell(stream.last = event.data);
  stream.source.onerror = () => tell(null);
  streams.set(lang, stream);
  return stream;
}

function leave(tab) {
  for (const [lang, stream] of streams) {
    if (!stream.tabs.delete(tab) || stream.tabs.size) continue;
    stream.source.close();
    streams.delete(lang);
  }
}

// A tab says its language, or nothing when it goes.
onconnect = ({ ports: [tab] }) => {
  tab.onmessage = ({ data: lang }) => {
    leave(tab);
    if (lang === null) return;
    const stream = streams.get(lang) || open(lang);
    stream.tabs.add(tab);
    if (stream.last) tab.postMessage(stream.last);
  };
};
