// The room Session.
