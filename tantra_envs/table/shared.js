// What the pages of the lobby and of a table share.
"use strict";
const $ = (id) => document.getElementById(id);
const base = location.pathname; // ends with the token and a slash
const PATIENCE = 3; // seconds until the page shows how long it has waited

function item(kind, words, value) {
  const element = document.createElement(kind);
  element.textContent = words;
  if (value !== undefined) element.value = value;
  return element;
}

