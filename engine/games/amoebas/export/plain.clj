(defn amoeba
  [energy health species env data]
  (let [round (or data 0)]
    (assoc (decide (view-of energy health species env round) (rand-int 8))
           :data (inc round) :child-data (inc round))))
