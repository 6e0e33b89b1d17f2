// How the search of the site ranks what it finds: titles and words of pages before names of attributes.
var Scorer = {
  objNameMatch: 4,
  objPartialMatch: 1,
  objPrio: {0: 2, 1: 0, 2: -5},
  objPrioDefault: 0,
  title: 20,
  partialTitle: 12,
  term: 8,
  partialTerm: 3,
};
